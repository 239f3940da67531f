#pragma once

/// Requests `/` of a port of this machine by the host's own HTTP library. Returns the status, or -1.
int host_request(int port);
