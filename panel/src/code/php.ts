import { type CodeRequest, headersOf } from './code-request.ts'
import { writeJson } from './literal.ts'

export function writePhp(request: CodeRequest): string {
  const { origin, method, path, body, isOpen, apiKey } = request
  const key = apiKey === undefined ? "getenv('PIPIT_API_KEY')" : quote(apiKey)
  const headers = [
    ...(isOpen === true ? [] : [`        'Authorization: Bearer ' . ${key},`]),
    ...headersOf(request).map(([name, value]) => `        ${quote(`${name}: ${value}`)},`),
  ]
  return [
    '<?php',
    // No line of JSON can begin with the word JSON, which ends the nowdoc.
    ...(body === undefined ? [] : ["$body = <<<'JSON'", writeJson(body), 'JSON;']),
    `$request = curl_init(${quote(origin + path)});`,
    'curl_setopt_array($request, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => ${quote(method)},`]),
    ...(headers.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],']),
    ...(body === undefined ? [] : ['    CURLOPT_POSTFIELDS => $body,']),
    ']);',
    '// This prints the response, the events of a stream as they arrive.',
    'if (!curl_exec($request)) {',
    '    exit(curl_error($request));',
    '}',
    'exit(curl_getinfo($request, CURLINFO_RESPONSE_CODE) === 200 ? 0 : 1);',
  ].join('\n')
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
