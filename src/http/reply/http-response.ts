import type { OutgoingHttpHeaders } from 'node:http'

/** A result of a handler with its own status, body and headers. */
export class HttpResponse<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers: OutgoingHttpHeaders

  constructor(status: Status, body: Body, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A JSON body that is the same for every request. It is serialized once, and all responses share the bytes. */
export class PreparedJson {
  readonly bytes: Buffer

  constructor(value: object) {
    this.bytes = Buffer.from(JSON.stringify(value))
  }
}
