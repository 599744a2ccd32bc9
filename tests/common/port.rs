//! Ports that nobody listens on.

use std::net::SocketAddr;

use socket2::{Domain, Socket, Type};

/// A port that refuses connections, and is nobody else's, until its socket listens.
pub fn silent() -> (Socket, SocketAddr) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    (socket, address)
}
