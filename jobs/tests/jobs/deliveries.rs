//! Duplicate and reordered deliveries.

use async_nats::jetstream::{self, consumer::pull};
use futures_util::StreamExt as _;

use crate::common::{Cubes, Queue, files};

#[test]
fn duplicate_and_reordered_chunks_give_each_answer_once() {
    let (queue, cubes) = (Queue::start(), Cubes::new(100, 6));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "10"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // Puts every chunk into the queue three more times, the last first.
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(queue.url()).await.unwrap());
        let stream = context.get_stream("SUPERFLIP_CHUNKS").await.unwrap();
        let (first, last) = (stream.cached_info().state.first_sequence, stream.cached_info().state.last_sequence);
        assert_eq!(last - first + 1, 10);
        for _ in 0..3 {
            for sequence in (first..=last).rev() {
                let message = stream.get_raw_message(sequence).await.unwrap();
                let mut headers = message.headers.clone();
                headers.insert("Nats-Msg-Id", format!("{sequence} {}", headers_number(&stream).await));
                let sent = context.publish_with_headers(message.subject, headers, message.payload).await.unwrap();
                assert!(!sent.await.unwrap().duplicate);
            }
        }
        // Removes the originals, so that the order is reversed.
        for sequence in first..=last {
            stream.delete_message(sequence).await.unwrap();
        }
    });
    let workers = [queue.worker(&["--until-idle"]), queue.worker(&["--until-idle"])];
    for worker in workers {
        assert!(worker.wait().status.success());
    }
    queue.check(&job, &cubes);
    let folder = queue.results().join(&job);
    let before = files(&folder);
    assert_eq!(before.len(), 11);

    // A chunk that arrives after the end changes nothing.
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(queue.url()).await.unwrap());
        let stream = context.get_stream("SUPERFLIP_CHUNKS").await.unwrap();
        let consumer = stream.get_consumer::<pull::Config>("workers").await.unwrap();
        assert!(consumer.fetch().max_messages(1).messages().await.unwrap().next().await.is_none());
    });
    assert_eq!(files(&folder), before);
}

#[test]
fn a_message_that_is_no_chunk_is_removed() {
    let (queue, cubes) = (Queue::start(), Cubes::new(10, 6));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(queue.url()).await.unwrap());
        for subject in ["superflip.chunks.x".to_owned(), format!("superflip.chunks.{job}")] {
            context.publish(subject, "no chunk".into()).await.unwrap().await.unwrap();
        }
    });
    assert!(queue.worker(&["--until-idle"]).wait().status.success());
    queue.check(&job, &cubes);
    assert_eq!(queue.status(&job)["chunks_queued"], 0);
}

/// Returns a number that no earlier message of the stream has.
async fn headers_number(stream: &jetstream::stream::Stream) -> u64 {
    stream.get_info().await.unwrap().state.last_sequence
}
