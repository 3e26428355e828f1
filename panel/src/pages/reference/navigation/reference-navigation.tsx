import { Button, TextInput } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import type { OpenApi } from '../../../../../src/http/reference/openapi.ts'
import { anchorsOf } from '../../../reference/anchors.ts'
import { operationsOf } from '../../../reference/api-document.ts'
import { guides } from '../../../reference/guides.ts'
import { listedMax, matchesText, searchAnchors } from '../../../reference/search-anchors.ts'
import { ReferenceLink } from '../parts/reference-link.tsx'
import classes from './reference-navigation.module.css'

/** The pages of the reference, and a search over pages, fields and error codes. */
export function ReferenceNavigation({ api }: { api: OpenApi }) {
  const [isOpen, setIsOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const navigate = useNavigate()
  const anchors = useMemo(() => anchorsOf(api), [api])
  const found = searchAnchors(anchors, wanted)
  const leave = () => {
    setIsOpen(false)
    setWanted('')
  }
  return (
    <div className={classes['navigation']}>
      <Button
        className={classes['toggle'] ?? ''}
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Contents and search
      </Button>
      <div className={classes['body']} data-open={isOpen}>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            const [first] = found
            if (first === undefined) return
            void navigate({ href: first.address })
            leave()
          }}
        >
          <TextInput
            type="search"
            size="xs"
            aria-label="Search the reference"
            placeholder="Search"
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        </form>
        <p role="status" className={classes['count']}>
          {wanted.trim() !== '' && matchesText(found.length)}
        </p>
        {wanted.trim() === '' ? (
          <Pages api={api} onLeave={leave} />
        ) : (
          <ul className={classes['links']} aria-label="Search results">
            {found.slice(0, listedMax).map(({ address, title, group }) => (
              <li key={address}>
                <ReferenceLink address={address} className={classes['link'] ?? ''} onClick={leave}>
                  {title} <span className={classes['group']}>{group}</span>
                </ReferenceLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function Pages({ api, onLeave }: { api: OpenApi; onLeave: () => void }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const link = (address: string, label: ReactNode) => (
    <li key={address}>
      <ReferenceLink
        address={address}
        className={classes['link'] ?? ''}
        onClick={onLeave}
        isCurrent={path === address}
      >
        {label}
      </ReferenceLink>
    </li>
  )
  return (
    <nav aria-label="Reference">
      <ul className={classes['links']}>
        {link('/docs', 'Introduction')}
        {guides.map(({ slug, title }) => link(`/docs/${slug}`, title))}
      </ul>
      <p className={classes['title']}>Operations</p>
      <ul className={classes['links']}>
        {operationsOf(api).map(({ operationId, method, path: url }) =>
          link(
            `/docs/operations/${operationId}`,
            <>
              <span className={classes['method']}>{method}</span> <span>{shorten(url)}</span>
            </>,
          ),
        )}
      </ul>
      <details open={path.startsWith('/docs/objects/')}>
        <summary className={classes['title']}>Objects</summary>
        <ul className={classes['links']}>
          {Object.keys(api.components.schemas).map((name) => link(`/docs/objects/${name}`, name))}
        </ul>
      </details>
    </nav>
  )
}

function shorten(url: string): string {
  return url.replace(/^\/v1\//, '')
}
