export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

/** An OpenAPI 3.1 document, as far as this service writes it. */
export type OpenApi = {
  openapi: string
  info: JsonObject
  servers: JsonObject[]
  security: JsonObject[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: JsonObject
    headers: JsonObject
    /** One reply for each code of the errors. */
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
