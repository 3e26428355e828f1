import type { CommandEntry } from './command-table.ts'

export const shellScripts: Readonly<Record<string, (table: readonly CommandEntry[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(table: readonly CommandEntry[]): string {
  const choices = table.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map(({ name, choices: values }) => `    '${path} ${name}') words='${values.join(' ')}';;`),
  )
  const words = table.map(
    ({ path, commands, options }) =>
      `      '${path}') words='${[...commands, ...options].map(({ name }) => name).join(' ')}';;`,
  )
  return `# bash completion for pipit
_pipit() {
  local place='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${place:+$place }$word" in
      ${pathPattern(table)}) place="\${place:+$place }$word";;
    esac
  done
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('\n')}
    *) case "$place" in
${words.join('\n')}
    esac;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pipit pipit
`
}

function zshScript(table: readonly CommandEntry[]): string {
  const found = table.map(({ path, commands, options }) => {
    const items = [...commands, ...options].map(({ name, description }) =>
      quote(`${name}:${description.replaceAll(':', ' -')}`),
    )
    return `    '${path}') found=(${items.join(' ')});;`
  })
  return `#compdef pipit
# zsh completion for pipit
_pipit() {
  local place='' word
  local -a found
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "\${place:+$place }$word" in
      ${pathPattern(table)}) place="\${place:+$place }$word";;
    esac
  done
  case "$place" in
${found.join('\n')}
  esac
  _describe -t commands 'pipit' found || _files
}
# The first completion of a shell loads this file as a function, which must then complete.
if [ "$funcstack[1]" = _pipit ]; then _pipit "$@"; else compdef _pipit pipit; fi
`
}

function fishScript(table: readonly CommandEntry[]): string {
  const lines = table.flatMap(({ path, commands, options }) => {
    const names = commands.map(({ name }) => name)
    const at = quote(fishCondition(path, names))
    return [
      ...commands.map(
        ({ name, description }) => `complete -c pipit -n ${at} -a ${name} -d ${quote(description)}`,
      ),
      ...options.map(({ name, description, takesValue, takesFile, choices }) => {
        const value = takesFile ? ' -r -F' : takesValue ? ' -x' : ''
        const values = choices.length > 0 ? ` -a ${quote(choices.join(' '))}` : ''
        return `complete -c pipit -n ${at} -l ${name.slice(2)}${value}${values} -d ${quote(description)}`
      }),
    ]
  })
  return `# fish completion for pipit\ncomplete -c pipit -f\n${lines.join('\n')}\n`
}

/** Returns a condition that is true if all words of `path` and no word of `next` have been typed. */
function fishCondition(path: string, next: readonly string[]): string {
  const seen = path.split(' ').filter((word) => word !== '')
  const parts = [
    ...seen.map((word) => `__fish_seen_subcommand_from ${word}`),
    ...(next.length > 0 ? [`not __fish_seen_subcommand_from ${next.join(' ')}`] : []),
  ]
  return parts.join('; and ')
}

/** Returns the `case` pattern that matches the paths of all commands. */
function pathPattern(table: readonly CommandEntry[]): string {
  return table
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|')
}

/** Quotes a text for bash, zsh and fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `'"'"'`)}'`
}
