import type { CodeRequest, CompletionRequest } from './code-request.ts'
import { writeCSharp } from './csharp.ts'
import { writeCurl } from './curl.ts'
import { writeGo } from './go.ts'
import { writeJava } from './java.ts'
import { writeOpenAiPython, writeOpenAiTypeScript } from './openai.ts'
import { writePhp } from './php.ts'
import { writePython } from './python.ts'
import { writeTypeScript } from './typescript.ts'

export const languages = ['curl', 'Python', 'TypeScript', 'Go', 'Java', 'C#', 'PHP'] as const
export type Language = (typeof languages)[number]

const writers: Readonly<Record<Language, (request: CodeRequest) => string>> = {
  curl: writeCurl,
  Python: writePython,
  TypeScript: writeTypeScript,
  Go: writeGo,
  Java: writeJava,
  'C#': writeCSharp,
  PHP: writePhp,
}

/** Returns a whole program that sends the request. It runs unchanged, with nothing but the language installed. */
export function writeCode(language: Language, request: CodeRequest): string {
  return writers[language](request)
}

/** Returns a whole program that requests a completion. The Python and TypeScript programs use OpenAI's package. */
export function writeCompletion(language: Language, request: CompletionRequest): string {
  if (language === 'Python') return writeOpenAiPython(request)
  if (language === 'TypeScript') return writeOpenAiTypeScript(request)
  const streams = request.body['stream'] === true
  return writeCode(language, {
    ...request,
    method: 'POST',
    path: '/v1/chat/completions',
    streams,
  })
}
