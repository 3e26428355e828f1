/** A request that is refused with 400; `body` is a whole body in JSON, or fields over those of a good request. */
export type BadRequest = [name: string, body: string | object, code: string, param: string | null]
