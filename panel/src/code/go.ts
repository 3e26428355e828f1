import { type CodeRequest, headersOf } from './code-request.ts'
import { writeJson } from './literal.ts'

export function writeGo(request: CodeRequest): string {
  const { origin, method, path, body, streams, isOpen, apiKey } = request
  const reader = body === undefined ? 'nil' : 'strings.NewReader(body)'
  const key =
    apiKey === undefined
      ? '"Bearer "+os.Getenv("PIPIT_API_KEY")'
      : JSON.stringify(`Bearer ${apiKey}`)
  const headers = [
    ...(isOpen === true ? [] : [`\trequest.Header.Set("Authorization", ${key})`]),
    ...headersOf(request).map(
      ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
  ]
  return [
    ...head(request),
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := ${quote(writeJson(body))}`]),
    `\trequest, err := http.NewRequest(${JSON.stringify(method)}, ${JSON.stringify(origin + path)}, ${reader})`,
    ...failOn('err', 'err'),
    ...headers,
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...failOn('err', 'err'),
    '\tdefer response.Body.Close()',
    '\tif response.StatusCode != http.StatusOK {',
    '\t\ttext, _ := io.ReadAll(response.Body)',
    '\t\tlog.Fatal(response.Status, ": ", string(text))',
    '\t}',
    ...(streams === true ? readStream : copyReply),
    '}',
  ].join('\n')
}

function head({ body, streams, isOpen, apiKey }: CodeRequest): string[] {
  const readsKey = isOpen !== true && apiKey === undefined
  const names = [
    ...(streams === true ? ['bufio', 'encoding/json', 'fmt'] : []),
    'io',
    'log',
    'net/http',
    // Go refuses an import that is not used.
    ...(streams !== true || readsKey ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ]
  return ['package main', '', 'import (', ...names.map((name) => `\t"${name}"`), ')', '']
}

/** Writes a Go string: a raw one in backquotes, or a quoted one if the text contains a backquote. */
function quote(text: string): string {
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``
}

function failOn(name: string, message: string): string[] {
  return [`\tif ${name} != nil {`, `\t\tlog.Fatal(${message})`, '\t}']
}

const copyReply = ['\tio.Copy(os.Stdout, response.Body)']

const readStream = [
  '\tlines := bufio.NewScanner(response.Body)',
  '\tlines.Buffer(nil, 1<<20)',
  '\tfor lines.Scan() {',
  '\t\tdata, isEvent := strings.CutPrefix(lines.Text(), "data: ")',
  '\t\tif !isEvent || data == "[DONE]" {',
  '\t\t\tcontinue',
  '\t\t}',
  '\t\tvar event struct {',
  '\t\t\tError   *struct{ Message string }',
  '\t\t\tChoices []struct{ Delta struct{ Content string } }',
  '\t\t}',
  '\t\tif err := json.Unmarshal([]byte(data), &event); err != nil {',
  '\t\t\tlog.Fatal(err)',
  '\t\t}',
  '\t\tif event.Error != nil {',
  '\t\t\tlog.Fatal(event.Error.Message)',
  '\t\t}',
  '\t\tfor _, choice := range event.Choices {',
  '\t\t\tfmt.Print(choice.Delta.Content)',
  '\t\t}',
  '\t}',
  '\tif err := lines.Err(); err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
]
