import { Checkbox, Tabs } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CodeBlock } from '../../../components/code-snippets.tsx'
import { useHeldKey } from '../../../reference/held-key.ts'
import type { GuideRequest } from '../../../reference/guide-requests.ts'
import { type Language, languages, writeCode } from '../../../code/write-code.ts'
import classes from './request-code.module.css'

const isLanguage = (text: string | null): text is Language =>
  languages.some((language) => language === text)

/** One request in the language that the reader has chosen. The choice holds for the whole reference. */
export function RequestCode({ title, request }: { title: string; request: GuideRequest }) {
  const [chosen, setChosen] = useLocalStorage<string>({
    key: 'pipit-reference-language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  })
  const [includes, setIncludes] = useLocalStorage({
    key: 'pipit-reference-includes-key',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const held = useHeldKey()
  const language = isLanguage(chosen) ? chosen : 'curl'
  const apiKey = includes && request.isOpen !== true ? held?.key : undefined
  const code = writeCode(language, { ...request, origin: location.origin, apiKey })
  return (
    <div className={classes['example']}>
      <Tabs
        value={language}
        onChange={(value) => isLanguage(value) && setChosen(value)}
        keepMounted={false}
      >
        <Tabs.List aria-label={`${title}: language`}>
          {languages.map((one) => (
            <Tabs.Tab key={one} value={one} className={classes['tab'] ?? ''}>
              {one}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={language} pt="xs">
          <CodeBlock code={code} label={`${title} in ${language}`} />
        </Tabs.Panel>
      </Tabs>
      {held !== undefined && request.isOpen !== true && (
        <Checkbox
          size="xs"
          mt="xs"
          label={
            <>
              Include my key <bdi>{held.name}</bdi>
            </>
          }
          checked={includes}
          onChange={(event) => setIncludes(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}
