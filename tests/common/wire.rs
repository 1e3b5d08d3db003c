//! HTTP/1.1 as bytes, so that a test decides what is sent when, and sees how an answer ends.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// An answer that came whole.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// The head, in small letters.
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Result<serde_json::Value, String> {
        serde_json::from_str(&self.body).map_err(|error| format!("{error}: {}", self.body))
    }
}

pub fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")
}

pub fn post(path: &str, kind: &str, body: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// The next answer of a connection. What was read and not used is left in `read`; one that breaks off is `UnexpectedEof`.
pub async fn reply(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> io::Result<Reply> {
    let end = loop {
        match read.windows(4).position(|window| window == b"\r\n\r\n") {
            Some(end) => break end + 4,
            None => more(stream, read).await?,
        }
    };
    let head = text(read.drain(..end).collect())?.to_lowercase();
    let status = head.get(9..12).and_then(|code| code.parse().ok()).ok_or_else(|| bad(&head))?;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let body = match field("content-length") {
        Some(length) => take(stream, read, length.parse().map_err(|_| bad(&head))?).await?,
        None if field("transfer-encoding") == Some("chunked") => chunks(stream, read).await?,
        None => return Err(bad(&head)),
    };
    Ok(Reply { status, body: text(body)?, head })
}

async fn chunks(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = loop {
            match read.windows(2).position(|window| window == b"\r\n") {
                Some(end) => break end + 2,
                None => more(stream, read).await?,
            }
        };
        let line = text(read.drain(..end).collect())?;
        let length = usize::from_str_radix(line.trim_end(), 16).map_err(|_| bad(&line))?;
        let mut chunk = take(stream, read, length + 2).await?;
        chunk.truncate(length);
        if chunk.is_empty() {
            return Ok(body);
        }
        body.append(&mut chunk);
    }
}

async fn take(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>, length: usize) -> io::Result<Vec<u8>> {
    while read.len() < length {
        more(stream, read).await?;
    }
    Ok(read.drain(..length).collect())
}

async fn more(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(read).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn bad(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not an answer that can be read: {text}"))
}
