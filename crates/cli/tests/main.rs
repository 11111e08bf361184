//! The real binary: one module for each part of what it promises.

mod bad_input;
mod canary;
mod cases;
mod common;
mod compare;
mod contract;
mod data;
mod database;
mod hierarchy;
mod init;
mod instant;
mod lattice_file;
mod manual;
mod missing;
mod models;
mod plot;
mod publish;
mod release;
mod serve;
