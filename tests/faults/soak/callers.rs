//! Sends a request of each kind, and checks its reply.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use super::kinds::{Kind, Met, check, checked};
use crate::common::prelude::*;
use crate::common::stickers::{apply, solves};
use crate::common::wire::{Reply, get, post, reply, whole};

/// A client that sends requests of every kind.
pub(crate) struct Caller {
    pub(crate) address: SocketAddr,
    pub(crate) rng: StdRng,
    /// Last request over HTTP/1.1, for the report of a fault.
    pub(crate) last: String,
}

/// What was wrong with a reply, or an error of the connection.
pub(crate) struct Fault(pub(crate) String);

impl<E: std::fmt::Display> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

const JSON: &str = "application/json";

impl Caller {
    pub(crate) async fn ask(&mut self, kind: Kind) -> Result<Met, Fault> {
        match kind {
            Kind::Facelets => self.facelets().await,
            Kind::Scramble => self.scramble().await,
            Kind::Pipelined => self.pipelined().await,
            Kind::Hurried => self.hurried().await,
            Kind::Several => self.several().await,
            Kind::Proof => self.proof().await,
            Kind::Batch => self.batch().await,
            Kind::BatchLeft => self.batch_left().await,
            Kind::Stream => self.stream().await,
            Kind::StreamLeft => self.left("/solve/stream", 200).await,
            Kind::Left => self.left("/solve", 30).await,
            Kind::HalfClosed => self.half_closed().await,
            Kind::Nonsense => self.nonsense().await,
            Kind::Coordinates => self.coordinates().await,
            Kind::Explained => self.explained().await,
            Kind::Http2 => self.http2().await,
            Kind::SlowReader => self.slow_reader().await,
            Kind::SlowWriter => self.slow_writer().await,
            Kind::Operator => self.operator().await,
        }
    }

    async fn connect(&mut self, text: &str) -> Result<TcpStream, Fault> {
        text.clone_into(&mut self.last);
        let mut stream = TcpStream::connect(self.address).await?;
        stream.write_all(text.as_bytes()).await?;
        Ok(stream)
    }

    async fn send(&mut self, text: &str) -> Result<Reply, Fault> {
        Ok(reply(&mut self.connect(text).await?, &mut Vec::new()).await?)
    }

    async fn post(&mut self, path: &str, body: Value) -> Result<Reply, Fault> {
        self.send(&post(path, JSON, &body.to_string())).await
    }

    /// Random face moves, never of one face twice in a row.
    fn maneuver(&mut self, length: usize) -> String {
        let (mut words, mut last) = (Vec::new(), ' ');
        while words.len() < length {
            let face = *['U', 'R', 'F', 'D', 'L', 'B'].choose(&mut self.rng).expect("six");
            if face != last {
                last = face;
                words.push(format!("{face}{}", ["", "2", "'"].choose(&mut self.rng).expect("three")));
            }
        }
        words.join(" ")
    }

    fn cube(&mut self) -> String {
        apply(SOLVED, &self.maneuver(30))
    }

    async fn facelets(&mut self) -> Result<Met, Fault> {
        let (cube, target) = (self.cube(), self.rng.random_range(20..22));
        let body = json!({"facelets": cube, "target_length": target});
        checked(&self.post("/solve", body).await?, &cube, target)
    }

    async fn scramble(&mut self) -> Result<Met, Fault> {
        let length = self.rng.random_range(0..25);
        let maneuver = self.maneuver(length);
        let uri = format!("/solve?scramble={}", maneuver.replace(' ', "%20").replace('\'', "%27"));
        checked(&self.send(&get(&uri)).await?, &apply(SOLVED, &maneuver), 20)
    }

    async fn pipelined(&mut self) -> Result<Met, Fault> {
        let cubes: Vec<String> = (0..6).map(|_| self.cube()).collect();
        let requests = cubes.iter().map(|cube| post("/solve", JSON, &json!({"facelets": cube}).to_string()));
        let mut stream = self.connect(&requests.collect::<String>()).await?;
        let (mut read, mut met) = (Vec::new(), Met::Right);
        for cube in cubes {
            met = met.max(checked(&reply(&mut stream, &mut read).await?, &cube, 20)?);
        }
        Ok(met)
    }

    async fn hurried(&mut self) -> Result<Met, Fault> {
        let (cube, time) = (self.cube(), self.rng.random_range(2..30));
        let body = json!({"facelets": cube, "target_length": 0, "time_limit_ms": time});
        checked(&self.post("/solve", body).await?, &cube, 30)
    }

    async fn several(&mut self) -> Result<Met, Fault> {
        let cube = self.cube();
        let body = json!({"facelets": cube, "solutions": 4, "target_length": 22, "time_limit_ms": 50});
        let reply = self.post("/solve", body).await?;
        let met = checked(&reply, &cube, 30)?;
        if met == Met::Right {
            let answer = reply.json()?;
            let list = answer["solutions"].as_array().ok_or("no list")?;
            let texts: Vec<&str> = list.iter().filter_map(|found| found["solution"].as_str()).collect();
            let lengths: Vec<u64> = list.iter().filter_map(|found| found["length"].as_u64()).collect();
            let distinct: std::collections::BTreeSet<_> = texts.iter().collect();
            let is_right = distinct.len() == list.len() && lengths.is_sorted() && lengths.len() == list.len();
            if !is_right || !texts.iter().all(|text| solves(&cube, text)) {
                return Err(Fault(reply.body));
            }
        }
        Ok(met)
    }

    async fn proof(&mut self) -> Result<Met, Fault> {
        let length = if self.rng.random() { self.rng.random_range(1..10) } else { 30 };
        let cube = apply(SOLVED, &self.maneuver(length));
        let body = json!({"facelets": cube, "optimal": true, "time_limit_ms": 150});
        let reply = self.post("/solve", body).await?;
        let met = checked(&reply, &cube, 30)?;
        let answer = reply.json()?;
        let is_proven = answer["proven_optimal"] == true;
        if met == Met::Right && is_proven && answer["length"].as_u64() > Some(length as u64) {
            return Err(Fault(format!("a proof of more than {length}: {}", reply.body)));
        }
        Ok(met)
    }

    /// Twenty lines, and which of them hold a cube.
    fn lines(&mut self) -> (String, Vec<Option<String>>) {
        let cubes: Vec<Option<String>> = (0..20).map(|line| (line % 5 != 3).then(|| self.cube())).collect();
        let text = cubes.iter().map(|cube| match cube {
            Some(cube) => json!({"facelets": cube, "target_length": 21}).to_string() + "\n",
            None => "{\"facelets\": \"UUU\"}\n".to_owned(),
        });
        (text.collect(), cubes)
    }

    async fn batch(&mut self) -> Result<Met, Fault> {
        let (text, cubes) = self.lines();
        let reply = self.send(&post("/solve/batch", "application/x-ndjson", &text)).await?;
        if reply.status == 503 {
            return Ok(Met::Busy);
        }
        let answers: Vec<&str> = reply.body.lines().collect();
        if reply.status != 200 || answers.len() != cubes.len() {
            return Err(Fault(reply.body));
        }
        for (line, (answer, cube)) in answers.into_iter().zip(&cubes).enumerate() {
            let answer: Value = serde_json::from_str(answer)?;
            if answer["line"] != line + 1 {
                return Err(Fault(format!("out of order: {}", reply.body)));
            }
            match cube {
                Some(cube) => check(&answer, cube, 21)?,
                None if answer["problem"]["code"] == "impossible_cube" => {}
                None => return Err(Fault(answer.to_string())),
            }
        }
        Ok(Met::Right)
    }

    async fn batch_left(&mut self) -> Result<Met, Fault> {
        let (text, _) = self.lines();
        let head = "POST /solve/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
        let mut stream = self.connect(&format!("{head}{:x}\r\n{text}\r\n", text.len())).await?;
        let mut some = [0; 2000];
        let _some = stream.read(&mut some).await?;
        Ok(Met::Left)
    }

    async fn stream(&mut self) -> Result<Met, Fault> {
        let (cube, time) = (self.cube(), self.rng.random_range(5..80));
        let body = json!({"facelets": cube, "time_limit_ms": time});
        let reply = self.post("/solve/stream", body).await?;
        if reply.status == 503 {
            return Ok(Met::Busy);
        }
        let (mut length, mut result) = (u64::MAX, None);
        for event in reply.body.split("\n\n").filter(|event| event.starts_with("event:")) {
            let (name, data) = event.split_once("\ndata: ").ok_or_else(|| event.to_owned())?;
            let data: Value = serde_json::from_str(data)?;
            match name {
                "event: solution" => {
                    let (shorter, text) = (data["length"].as_u64().unwrap_or(u64::MAX), data["solution"].as_str());
                    if shorter >= length || !text.is_some_and(|text| solves(&cube, text)) {
                        return Err(Fault(reply.body));
                    }
                    length = shorter;
                }
                "event: result" => result = Some(data),
                "event: problem" if data["code"] == "deadline_unreachable" => return Ok(Met::Busy),
                "event: lower_bound" => {}
                _ => return Err(Fault(reply.body)),
            }
        }
        let result = result.ok_or("no result")?;
        if result["length"].as_u64() != Some(length) {
            return Err(Fault(reply.body));
        }
        check(&result, &cube, 30).map(|()| Met::Right)
    }

    async fn left(&mut self, path: &str, most_ms: u64) -> Result<Met, Fault> {
        let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
        let stream = self.connect(&post(path, JSON, &body)).await?;
        tokio::time::sleep(Duration::from_millis(self.rng.random_range(0..most_ms))).await;
        drop(stream);
        Ok(Met::Left)
    }

    /// A client that closes its sending side counts as disconnected: it gets a whole answer or none.
    async fn half_closed(&mut self) -> Result<Met, Fault> {
        let cube = self.cube();
        let mut stream = self.connect(&post("/solve", JSON, &json!({"facelets": cube}).to_string())).await?;
        stream.shutdown().await?;
        let mut read = Vec::new();
        match reply(&mut stream, &mut read).await {
            Ok(reply) => checked(&reply, &cube, 20),
            Err(_) if read.is_empty() => Ok(Met::Left),
            Err(error) => Err(Fault(format!("{error} after {}", String::from_utf8_lossy(&read)))),
        }
    }

    async fn nonsense(&mut self) -> Result<Met, Fault> {
        let deep = "[".repeat(5000);
        let long = format!("{{\"scramble\": \"{}\"}}", "R ".repeat(40_000));
        let cases = [
            (post("/solve", JSON, "{"), 400),
            (post("/solve", JSON, &deep), 400),
            (post("/solve", JSON, "{\"facelets\": 5}"), 400),
            (post("/solve", JSON, "{\"facelet\": \"U\"}"), 400),
            (post("/solve", JSON, "{}"), 422),
            (post("/solve", JSON, "{\"scramble\": \"R U Q\"}"), 422),
            (post("/solve", JSON, &json!({"facelets": SOLVED.replacen('U', "R", 1)}).to_string()), 422),
            (post("/solve", JSON, "{\"scramble\": \"R\", \"target_length\": 99}"), 422),
            (post("/solve", JSON, &long), 413),
            (post("/solve", "text/plain", "R"), 415),
            (get("/solve?scramble=R&target_lenght=3"), 400),
            (get("/coords/twits"), 404),
            (get("/coords/twist/99999999"), 422),
            (get("/nothing"), 404),
            ("DELETE /solve HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(), 405),
        ];
        let (request, status) = cases.choose(&mut self.rng).expect("some");
        let reply = self.send(request).await?;
        let document = reply.json()?;
        let is_problem =
            reply.head.contains("content-type: application/problem+json") && document["detail"].is_string();
        let is_right = reply.status == *status && document["status"] == *status && is_problem;
        if is_right { Ok(Met::Refused) } else { Err(Fault(format!("{request} got {}", reply.body))) }
    }

    /// A move of a value leads to the value of the moved stickers.
    async fn coordinates(&mut self) -> Result<Met, Fault> {
        let name = *["twist", "flip", "slice", "corner_perm", "index_cube.edges"].choose(&mut self.rng).expect("five");
        let (cube, word) = (self.cube(), self.maneuver(1));
        let mut values = [0; 2];
        for (value, cube) in values.iter_mut().zip([cube.clone(), apply(&cube, &word)]) {
            let reply = self.send(&get(&format!("/coords?facelets={cube}&names={name}"))).await?.json()?;
            *value = reply["coordinates"][0]["value"].as_u64().ok_or_else(|| reply.to_string())?;
        }
        let [before, after] = values;
        let path = format!("/coords/{name}/{before}/apply?moves={}", word.replace('\'', "%27"));
        let applied = self.send(&get(&path)).await?.json()?;
        if applied["end"] == after {
            Ok(Met::Right)
        } else {
            Err(Fault(format!("{cube} {word}: {after}, and {applied}")))
        }
    }

    async fn explained(&mut self) -> Result<Met, Fault> {
        let cube = self.cube();
        let solved = self.post("/solve", json!({"facelets": cube})).await?;
        if checked(&solved, &cube, 20)? == Met::Busy {
            return Ok(Met::Busy);
        }
        let solution = solved.json()?["solution"].clone();
        let body = json!({"facelets": cube, "solution": solution});
        let reply = self.post("/explain", body).await?;
        if reply.status == 200 { Ok(Met::Right) } else { Err(Fault(reply.body)) }
    }

    async fn http2(&mut self) -> Result<Met, Fault> {
        let stream = TcpStream::connect(self.address).await?;
        let (sender, connection) = h2::client::handshake(stream).await?;
        let connection = tokio::spawn(connection);
        let (mut asked, mut met) = (Vec::new(), Met::Right);
        for number in 0..6 {
            let cube = self.cube();
            let mut sender = sender.clone().ready().await?;
            let request = Request::post("http://localhost/solve").header("content-type", JSON).body(())?;
            let (answer, mut body) = sender.send_request(request, false)?;
            body.send_data(Bytes::from(json!({"facelets": cube}).to_string()), true)?;
            if number == 2 {
                body.send_reset(h2::Reason::CANCEL);
            } else {
                asked.push((cube, answer));
            }
        }
        for (cube, answer) in asked {
            met = met.max(checked(&whole(answer).await?, &cube, 20)?);
        }
        drop(sender);
        connection.abort();
        Ok(met)
    }

    async fn slow_reader(&mut self) -> Result<Met, Fault> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        let mut stream = socket.connect(self.address).await?;
        stream.write_all(get("/openapi.json").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes()).await?;
        let (mut read, mut some) = (Vec::new(), [0; 4096]);
        loop {
            match stream.read(&mut some).await? {
                0 => break,
                count => read.extend_from_slice(&some[..count]),
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let reply = reply(&mut tokio::io::empty(), &mut read).await?;
        if reply.json()?["openapi"].is_string() { Ok(Met::Right) } else { Err(Fault("no contract".into())) }
    }

    async fn slow_writer(&mut self) -> Result<Met, Fault> {
        let cube = self.cube();
        let request = post("/solve", JSON, &json!({"facelets": cube}).to_string());
        let mut stream = self.connect("").await?;
        for piece in request.as_bytes().chunks(9) {
            stream.write_all(piece).await?;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        checked(&reply(&mut stream, &mut Vec::new()).await?, &cube, 20)
    }

    async fn operator(&mut self) -> Result<Met, Fault> {
        for path in ["/livez", "/readyz", "/metrics"] {
            let reply = self.send(&get(path)).await?;
            if reply.status != 200 {
                return Err(Fault(reply.body));
            }
        }
        Ok(Met::Right)
    }
}
