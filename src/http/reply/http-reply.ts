import type { OutgoingHttpHeaders } from 'node:http'

/** A reply other than JSON with status 200: what a handler returns to choose its status, type and headers. */
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
