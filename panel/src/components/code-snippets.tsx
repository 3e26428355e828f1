import { Group, Tabs } from '@mantine/core'
import { useRef } from 'react'
import type { CompletionRequest } from '../code/code-request.ts'
import { languages, writeCompletion } from '../code/write-code.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './code-snippets.module.css'

/** One completion in each language, ready to copy. */
export function CodeSnippets({ request }: { request: CompletionRequest }) {
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          <CodeBlock code={writeCompletion(language, request)} label={`${language} code`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** A scrollable code block with a copy button. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const block = useRef<HTMLPreElement>(null)
  const select = () => {
    const selection = window.getSelection()
    if (block.current !== null) selection?.selectAllChildren(block.current)
  }
  return (
    <div className={classes['block']}>
      <pre ref={block} className={classes['code']} role="region" aria-label={label} tabIndex={0}>
        {code}
      </pre>
      <Group gap="xs">
        <CopyButton text={code} onRefused={select} />
      </Group>
    </div>
  )
}
