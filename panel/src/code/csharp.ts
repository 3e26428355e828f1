import { type CodeRequest, headersOf } from './code-request.ts'
import { writeJson } from './literal.ts'

export function writeCSharp(request: CodeRequest): string {
  const { origin, method, path, body, isOpen, apiKey } = request
  const key =
    apiKey === undefined
      ? '"Bearer " + Environment.GetEnvironmentVariable("PIPIT_API_KEY")'
      : JSON.stringify(`Bearer ${apiKey}`)
  const headers = [
    ...(isOpen === true ? [] : [`Authorization", ${key}`]),
    ...headersOf(request)
      // StringContent sets the content type.
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `${name}", ${JSON.stringify(value)}`),
  ]
  return [
    '// dotnet new console, then replace Program.cs by this code (.NET 8 or newer)',
    ...(body === undefined ? [] : ['using System.Text;', '']),
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${JSON.stringify(method)}), ${JSON.stringify(origin + path)});`,
    ...headers.map((header) => `request.Headers.TryAddWithoutValidation("${header});`),
    ...(body === undefined ? [] : contentOf(writeJson(body))),
    'using var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);',
    'if (!response.IsSuccessStatusCode)',
    '    throw new Exception(await response.Content.ReadAsStringAsync());',
    // Prints the events of a stream unparsed.
    'await response.Content.CopyToAsync(Console.OpenStandardOutput());',
  ].join('\n')
}

/** Writes a raw string. JSON never has three quotes in a row, which would end it. */
function contentOf(json: string): string[] {
  const lines = json.split('\n').map((line) => `    ${line}`)
  return [
    'request.Content = new StringContent("""',
    ...lines,
    '    """, Encoding.UTF8, "application/json");',
  ]
}
