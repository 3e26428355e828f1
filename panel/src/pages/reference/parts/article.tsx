import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './article.module.css'
import { useOpenTarget } from './use-open-target.ts'

type ArticleProps = {
  title: string
  description?: ReactNode
  /** Examples beside the text on wide screens. */
  aside?: ReactNode
  children: ReactNode
}

/** A page of the reference: text, with examples beside it. */
export function Article({ title, description, aside, children }: ArticleProps) {
  useOpenTarget()
  return (
    <article className={classes['article']}>
      <title>{`${title} · Pipit API`}</title>
      <Row aside={aside}>
        <Title order={1} tabIndex={-1} data-page-heading>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {description}
          </Text>
        )}
        {children}
      </Row>
    </article>
  )
}

type PartProps = { id: string; title: string; aside?: ReactNode; children: ReactNode }

/** A section of a page with its own anchor. */
export function Part({ id, title, aside, children }: PartProps) {
  return (
    <section className={classes['part']} aria-labelledby={id}>
      <Row aside={aside}>
        <Title order={2} id={id}>
          <a className={classes['anchor']} href={`#${id}`}>
            {title}
          </a>
        </Title>
        {children}
      </Row>
    </section>
  )
}

/** A page with an introduction, followed by sections (`Part`). */
export function Guide({
  title,
  description,
  children,
}: {
  title: string
  description: ReactNode
  children: ReactNode
}) {
  useOpenTarget()
  return (
    <article className={classes['article']}>
      <title>{`${title} · Pipit API`}</title>
      <div className={classes['text']}>
        <Title order={1} tabIndex={-1} data-page-heading>
          {title}
        </Title>
        <p>{description}</p>
      </div>
      {children}
    </article>
  )
}

function Row({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['row']}>
      <div className={classes['text']}>{children}</div>
      {aside !== undefined && <div className={classes['aside']}>{aside}</div>}
    </div>
  )
}
