import { type CodeRequest, headersOf } from './code-request.ts'
import { writeJson } from './literal.ts'

export function writeJava(request: CodeRequest): string {
  const { origin, method, path, body, streams, isOpen, apiKey } = request
  const key =
    apiKey === undefined
      ? '"Bearer " + System.getenv("PIPIT_API_KEY")'
      : JSON.stringify(`Bearer ${apiKey}`)
  const publisher = body === undefined ? 'noBody()' : 'ofString(body)'
  return [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse.BodyHandlers;',
    '',
    'class Main {',
    '    public static void main(String[] args) throws Exception {',
    ...(body === undefined ? [] : [`        var body = ${textBlock(writeJson(body))};`]),
    `        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(origin + path)}))`,
    ...(isOpen === true ? [] : [`            .header("Authorization", ${key})`]),
    ...headersOf(request).map(
      ([name, value]) => `            .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
    `            .method(${JSON.stringify(method)}, HttpRequest.BodyPublishers.${publisher})`,
    '            .build();',
    ...(streams === true ? readStream : readReply),
    '    }',
    '}',
  ].join('\n')
}

function textBlock(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""')
  const margin = '            '
  return `"""\n${escaped
    .split('\n')
    .map((line) => margin + line)
    .join('\n')}"""`
}

const send = (handler: string) =>
  `        var response = HttpClient.newHttpClient().send(request, BodyHandlers.${handler});`

const readReply = [
  send('ofString()'),
  '        if (response.statusCode() != 200) throw new Exception(response.body());',
  '        System.out.println(response.body());',
]

// The JDK has no JSON parser, so this prints the events unparsed.
const readStream = [send('ofLines()'), '        response.body().forEach(System.out::println);']
