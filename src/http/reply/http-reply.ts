import type { OutgoingHttpHeaders } from 'node:http'

/** A result of a handler with its own status, body and headers. */
export class HttpReply<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers: OutgoingHttpHeaders

  constructor(status: Status, body: Body, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}
