//! HTTP/1.1 as bytes over TCP: a test decides what is sent and when, and sees how a reply ends.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A whole reply.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// The head, in lower case.
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Result<serde_json::Value, String> {
        serde_json::from_str(&self.body).map_err(|error| format!("{error}: {}", self.body))
    }

    /// Takes a reply from the front of what was read; `None` when it is not whole yet.
    fn take(read: &mut Vec<u8>) -> io::Result<Option<Self>> {
        let Some(end) = find(read, b"\r\n\r\n") else { return Ok(None) };
        let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
        let status = head.get(9..12).and_then(|code| code.parse().ok()).ok_or_else(|| bad(&head))?;
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let (mut body, mut at) = (Vec::new(), end + 4);
        if let Some(length) = field("content-length") {
            let length: usize = length.parse().map_err(|_| bad(&head))?;
            let Some(bytes) = read.get(at..at + length) else { return Ok(None) };
            body.extend_from_slice(bytes);
            at += length;
        } else if field("transfer-encoding") == Some("chunked") {
            loop {
                let Some(end) = find(&read[at..], b"\r\n") else { return Ok(None) };
                let line = String::from_utf8_lossy(&read[at..at + end]).into_owned();
                let length = usize::from_str_radix(&line, 16).map_err(|_| bad(&line))?;
                at += end + 2;
                let Some(chunk) = read.get(at..at + length + 2) else { return Ok(None) };
                body.extend_from_slice(&chunk[..length]);
                at += length + 2;
                if length == 0 {
                    break;
                }
            }
        } else {
            return Err(bad(&head));
        }
        read.drain(..at);
        Ok(Some(Self { status, head, body: String::from_utf8_lossy(&body).into_owned() }))
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn bad(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("cannot be read as a reply: {text}"))
}

/// A request on a connection that is kept.
pub fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

pub fn post(path: &str, kind: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The head of a POST whose body comes in chunks.
pub fn post_chunked(path: &str, kind: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n")
}

/// The request with one more field, such as `x-request-id: one`.
pub fn with(request: &str, field: &str) -> String {
    request.replacen("\r\n", &format!("\r\n{field}\r\n"), 1)
}

/// The request as the last one on its connection.
pub fn last(request: &str) -> String {
    with(request, "connection: close")
}

/// Opens a connection and sends the text.
pub async fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(text.as_bytes()).await.expect("it reads");
    stream
}

/// The next reply of a connection. Bytes behind it are left in `read`; a reply that breaks off is `UnexpectedEof`.
pub async fn reply(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> io::Result<Reply> {
    loop {
        if let Some(reply) = Reply::take(read)? {
            return Ok(reply);
        }
        if stream.read_buf(read).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The whole reply of a stream of HTTP/2, without its head.
pub async fn whole(answer: h2::client::ResponseFuture) -> Result<Reply, h2::Error> {
    let (head, mut stream) = answer.await?.into_parts();
    let mut body = Vec::new();
    while let Some(piece) = stream.data().await {
        body.extend_from_slice(&piece?);
    }
    let body = String::from_utf8(body).expect("UTF-8");
    Ok(Reply { status: head.status.as_u16(), head: String::new(), body })
}

/// The status of the next reply, whose rest is left in the socket.
pub async fn status(stream: &mut TcpStream) -> u16 {
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.expect("a reply");
    std::str::from_utf8(&start[9..]).expect("a status").parse().expect("a status")
}

/// Everything until the server closes the connection.
pub async fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut text)).await;
    // A reset behind a reply means that the server left bytes unread.
    let _ = read.expect("the server closes the connection");
    String::from_utf8_lossy(&text).into_owned()
}

/// Sends the text on a connection of its own, and returns everything until the server closes it.
pub async fn ask(address: SocketAddr, text: &str) -> String {
    rest(send(address, text).await).await
}

/// The whole reply to a GET on a connection of its own, with its head.
pub async fn fetch(address: SocketAddr, path: &str) -> String {
    ask(address, &last(&get(path))).await
}

/// Asks for a path until the answer is 200.
pub async fn until_ok(address: SocketAddr, path: &str) {
    let start = Instant::now();
    while !fetch(address, path).await.starts_with("HTTP/1.1 200") {
        assert!(start.elapsed() < Duration::from_secs(20), "never answered with 200: {path}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The same for tests without a runtime.
pub mod blocking {
    use std::io::{self, Read as _, Write as _};
    use std::net::{SocketAddr, TcpStream};

    use super::{Reply, get, last};

    /// Opens a connection and sends the text.
    pub fn send(address: SocketAddr, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(text.as_bytes()).expect("it reads");
        stream
    }

    /// The next reply of a connection on which nothing follows.
    pub fn reply(stream: &mut TcpStream) -> io::Result<Reply> {
        let (mut read, mut piece) = (Vec::new(), [0; 1 << 14]);
        loop {
            if let Some(reply) = Reply::take(&mut read)? {
                return Ok(reply);
            }
            match stream.read(&mut piece)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                length => read.extend_from_slice(&piece[..length]),
            }
        }
    }

    /// Sends a request on a connection of its own, and returns the reply.
    pub fn ask(address: SocketAddr, request: &str) -> Reply {
        reply(&mut send(address, &last(request))).expect("a whole reply")
    }

    /// The reply to a GET on a connection of its own.
    pub fn fetch(address: SocketAddr, path: &str) -> Reply {
        ask(address, &get(path))
    }
}
