type ErrorBody = { error: { code: string; param: string | null } }

/** Returns the status and the code of an error response. */
export async function codeOf(response: Response): Promise<[status: number, code: string]> {
  const { error } = (await response.json()) as ErrorBody
  return [response.status, error.code]
}

/** Returns the status, the code and the parameter of an error response. */
export async function errorOf(
  reply: Response | Promise<Response>,
): Promise<[status: number, code: string, param: string | null]> {
  const response = await reply
  const { error } = (await response.json()) as ErrorBody
  return [response.status, error.code, error.param]
}
