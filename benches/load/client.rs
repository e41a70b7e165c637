//! One HTTP/1.1 connection for many requests. It reads answers completely and does not keep them.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
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
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), stream: None, buffer: vec![0; 64 * 1024] }
    }

    /// Sends the scene and reads the answer to its end.
    ///
    /// # Errors
    /// If there was no whole answer; the next request opens another connection.
    pub(crate) async fn ask(&mut self, scene: &Scene, key: &str) -> Result<Answer, Error> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address).await?,
        };
        let exchange = async {
            stream.write_all(&scene.request(key)).await?;
            read_answer(&mut stream, &mut self.buffer).await
        };
        let timed_out = |_| Error::from(ErrorKind::TimedOut);
        let (answer, stays_open) = tokio::time::timeout(PATIENCE, exchange).await.map_err(timed_out)??;
        self.stream = stays_open.then_some(stream);
        Ok(answer)
    }
}

/// Reads head and body. Also returns whether the connection can be used again.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<(Answer, bool), Error> {
    let mut filled = 0;
    let end = loop {
        let space = buffer.get_mut(filled..).filter(|space| !space.is_empty()).ok_or(ErrorKind::InvalidData)?;
        let read = stream.read(space).await?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        filled += read;
        if let Some(end) = buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let number = |text: Option<&str>| {
        text.and_then(|text| text.parse::<usize>().ok()).ok_or(Error::from(ErrorKind::InvalidData))
    };
    let status = number(head.get(9..12))? as u16;
    let bytes = number(header("content-length:"))?;
    let says_when_to_retry = header("retry-after:").is_some();
    let stays_open = header("connection:") != Some("close");
    let mut missing = bytes.saturating_sub(filled - end);
    while missing > 0 {
        let most = missing.min(buffer.len());
        let read = stream.read(&mut buffer[..most]).await?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        missing -= read;
    }
    Ok((Answer { status, bytes, says_when_to_retry }, stays_open))
}
