//! Tests of the service inside this process: requests in memory or over a local socket.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod clients;
mod coords;
mod http;
mod input;
mod load;
mod openapi;
mod project;
mod solve;
mod tables;
