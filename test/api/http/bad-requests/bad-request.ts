/** A request that is refused with 400. `body` is a whole JSON text, or fields to change in a valid request. */
export type BadRequest = [name: string, body: string | object, code: string, param: string | null]
