//! One HTTP/1.1 connection for many requests. It reads answers completely and does not keep them.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::scenes::Scene;

/// Longest wait for an answer: longer than the service may take to make or to refuse a page.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// Bytes of the body.
    pub(crate) bytes: usize,
    /// Whether the head has `Retry-After`.
    pub(crate) says_when_to_retry: bool,
}

/// A connection, opened when it is needed.
pub(crate) struct Client {
    address: String,
    stream: Option<Stream>,
}

type Stream = BufReader<TcpStream>;

impl Client {
    pub(crate) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), stream: None }
    }

    /// Sends the scene and reads the answer to its end.
    ///
    /// # Errors
    /// If there was no whole answer; the next request opens another connection.
    pub(crate) async fn ask(&mut self, scene: &Scene, key: &str) -> Result<Answer, Error> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::with_capacity(64 << 10, TcpStream::connect(&self.address).await?),
        };
        let exchange = async {
            stream.write_all(&scene.request(key)).await?;
            read_answer(&mut stream).await
        };
        let timed_out = |_| Error::from(ErrorKind::TimedOut);
        let (answer, stays_open) = tokio::time::timeout(PATIENCE, exchange).await.map_err(timed_out)??;
        self.stream = stays_open.then_some(stream);
        Ok(answer)
    }
}

/// Reads head and body. Also returns whether the connection can be used again.
async fn read_answer(stream: &mut Stream) -> Result<(Answer, bool), Error> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    head.make_ascii_lowercase();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let number = |text: Option<&str>| {
        text.and_then(|text| text.parse::<usize>().ok()).ok_or(Error::from(ErrorKind::InvalidData))
    };
    let status = number(head.get(9..12))? as u16;
    let bytes = if header("transfer-encoding:") == Some("chunked") {
        skip_chunks(stream).await?
    } else {
        let bytes = number(header("content-length:"))?;
        skip(stream, bytes).await?;
        bytes
    };
    let says_when_to_retry = header("retry-after:").is_some();
    Ok((Answer { status, bytes, says_when_to_retry }, header("connection:") != Some("close")))
}

/// Reads a body in chunks (RFC 9112, 7.1), without trailers. Returns its length.
async fn skip_chunks(stream: &mut Stream) -> Result<usize, Error> {
    let mut bytes = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let size = usize::from_str_radix(line.trim_end(), 16).map_err(|_| ErrorKind::InvalidData)?;
        // Each chunk ends with CR and LF, and so does the empty one at the end.
        skip(stream, size + 2).await?;
        bytes += size;
        if size == 0 {
            return Ok(bytes);
        }
    }
}

async fn skip(stream: &mut Stream, bytes: usize) -> Result<(), Error> {
    let skipped = tokio::io::copy(&mut stream.take(bytes as u64), &mut tokio::io::sink()).await?;
    if skipped < bytes as u64 { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}
