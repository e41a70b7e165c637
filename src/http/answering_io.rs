//! A stream that replaces hyper's own refusals by errors in our form.
//!
//! Input that is not an HTTP request (a malformed or oversized head) never reaches a handler: hyper refuses it with a
//! bare head of 400, 414 or 431 and an empty body. None of our answers is a 4xx with an empty body. So this stream
//! recognises such a head by its bytes and writes an error that a client can read instead.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::http::{HeaderMap, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::error::{ApiError, LARGEST_BODY};
use super::layers::protect;
use super::request_id::RequestId;

/// The stream, and the answer under way in place of a bare refusal.
pub(super) struct AnsweringIo<S> {
    stream: S,
    answer: Option<Answer>,
    /// What was read since the last answer, or its first [`MOST_KEPT`] bytes: why a head is refused shows there alone.
    head: Vec<u8>,
}

/// Bytes of a head that are kept until it is answered.
const MOST_KEPT: usize = 4 * 1024;

/// Bytes of an answer, how many are written, and how many bytes it stands for.
struct Answer {
    bytes: Vec<u8>,
    written: usize,
    stands_for: usize,
}

impl<S> AnsweringIo<S> {
    /// Nothing written yet.
    pub(super) const fn new(stream: S) -> Self {
        Self { stream, answer: None, head: Vec::new() }
    }
}

impl<S: AsyncWrite + Unpin> AnsweringIo<S> {
    /// Writes on at the answer; ready with the length of what it stands for when all of it is written.
    fn poll_answer(&mut self, context: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        let answer = self.answer.as_mut()?;
        while let Some(rest) = answer.bytes.get(answer.written..).filter(|rest| !rest.is_empty()) {
            match Pin::new(&mut self.stream).poll_write(context, rest) {
                Poll::Ready(Ok(0)) => return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(written)) => answer.written += written,
                Poll::Ready(Err(error)) => return Some(Poll::Ready(Err(error))),
                Poll::Pending => return Some(Poll::Pending),
            }
        }
        let stands_for = answer.stands_for;
        self.answer = None;
        Some(Poll::Ready(Ok(stands_for)))
    }
}

/// The status of a bare refusal, if these bytes are one.
fn bare_refusal(bytes: &[u8]) -> Option<StatusCode> {
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = StatusCode::from_bytes(lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.as_bytes()).ok()?;
    (status.is_client_error() && lines.any(|line| line.eq_ignore_ascii_case("content-length: 0"))).then_some(status)
}

/// The whole answer that stands for a bare refusal of this head.
fn answer_for(status: StatusCode, head: &[u8]) -> Vec<u8> {
    let fields = head.split(|byte| *byte == b'\n').filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, value) = line.split_at(colon);
        Some((name.to_ascii_lowercase(), value.get(1..)?.trim_ascii()))
    });
    for (name, value) in fields {
        match name.as_slice() {
            b"content-length" if is_too_long(value) => return bytes_of(&ApiError::PayloadTooLarge),
            b"transfer-encoding" if !value.to_ascii_lowercase().ends_with(b"chunked") => {
                return bytes_of(&ApiError::UnsupportedTransferEncoding);
            }
            _ => {}
        }
    }
    bytes_of(&match status {
        StatusCode::URI_TOO_LONG => ApiError::UriTooLong,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => ApiError::HeadersTooLarge,
        _ => ApiError::InvalidRequest { message: "this is no request that can be read; send HTTP/1.1".to_owned() },
    })
}

/// Whether the length of a body is a number that is too large, and be it beyond `u64`.
fn is_too_long(length: &[u8]) -> bool {
    let is_number = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(length).ok().and_then(|digits| digits.parse::<usize>().ok());
    is_number && number.is_none_or(|number| number > LARGEST_BODY)
}

/// The whole answer of an error that no handler gives, head and body, after which the connection closes.
pub(super) fn bytes_of(error: &ApiError) -> Vec<u8> {
    let (status, id) = (error.status(), RequestId::of(&HeaderMap::new()));
    let body = error.body(id.as_str());
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\
         x-request-id: {}\r\nx-process-time: 0.000\r\n",
        status.as_str(),
        status.canonical_reason().unwrap_or_default(),
        body.len(),
        id.as_str(),
    )
    .into_bytes();
    let mut own = HeaderMap::new();
    error.stamp(&mut own);
    protect(&mut own);
    for (name, value) in &own {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(&body);
    bytes
}

impl<S: AsyncRead + Unpin> AsyncRead for AnsweringIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        let room = MOST_KEPT.saturating_sub(self.head.len());
        self.head.extend(buffer.filled().iter().skip(filled).take(room));
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for AnsweringIo<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.answer.is_none() {
            let head = std::mem::take(&mut self.head);
            let Some(status) = bare_refusal(bytes) else {
                return Pin::new(&mut self.stream).poll_write(context, bytes);
            };
            self.answer = Some(Answer { bytes: answer_for(status, &head), written: 0, stands_for: bytes.len() });
        }
        self.poll_answer(context).unwrap_or(Poll::Ready(Ok(0)))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        if let (Some(only), None) = (filled.next(), filled.next()) {
            return self.poll_write(context, only);
        }
        self.head = Vec::new();
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    const BARE: &[u8] =
        b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

    /// What arrives of `bytes` written through a pipe that takes `room` bytes at a time.
    async fn through(bytes: &[u8], room: usize) -> String {
        let (near, mut far) = tokio::io::duplex(room);
        let mut stream = AnsweringIo::new(near);
        let reading = tokio::spawn(async move {
            let mut arrived = String::new();
            far.read_to_string(&mut arrived).await.unwrap();
            arrived
        });
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        drop(stream);
        reading.await.unwrap()
    }

    #[tokio::test]
    async fn a_bare_refusal_becomes_an_error_in_our_form() {
        for room in [1, 7, 100_000] {
            let arrived = through(BARE, room).await;
            let (head, body) = arrived.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{arrived}");
            assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{arrived}");
            let body: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(body["error"], "HEADERS_TOO_LARGE");
            assert!(head.contains(&format!("x-request-id: {}", body["request_id"].as_str().unwrap())), "{arrived}");
        }
    }

    #[test]
    fn the_head_tells_why_it_was_refused() {
        for (fields, status) in [
            ("Content-Length: 18446744073709551616", "413"),
            ("content-length:99999999999999999999999999\r\nA: b", "413"),
            ("Transfer-Encoding: gzip", "501"),
            ("TRANSFER-ENCODING: chunked, identity", "501"),
            ("Content-Length: -1", "400"),
            ("Content-Length: 2\r\nContent-Length: 3", "400"),
            ("Transfer-Encoding: chunked", "400"),
        ] {
            let head = format!("POST / HTTP/1.1\r\nHost: x\r\n{fields}\r\n\r\n");
            let answer = String::from_utf8(answer_for(StatusCode::BAD_REQUEST, head.as_bytes())).unwrap();
            assert_eq!(answer.get(9..12), Some(status), "{fields}: {answer}");
            assert!(answer.contains("x-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\n"), "{answer}");
        }
    }

    #[tokio::test]
    async fn everything_else_passes_as_it_is() {
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 20\r\n\r\n",
            "{\"image\":\"HTTP/1.1 431\"}",
            "",
        ] {
            assert_eq!(through(other.as_bytes(), 100_000).await, other);
        }
    }
}
