export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** The parts of an OpenAPI 3.1 document that this service writes. */
export type OpenApi = {
  openapi: string
  info: JsonObject
  servers: JsonObject[]
  security: JsonObject[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: JsonObject
    headers: JsonObject
    /** One error response for each error code. */
    examples: JsonObject
    responses: Record<string, JsonObject>
    schemas: Record<string, Json>
  }
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  security: JsonObject[]
  parameters?: JsonObject[]
  requestBody?: JsonObject
  responses: Record<string, JsonObject>
}
