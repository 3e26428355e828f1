import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NotFound } from '../../components/page/not-found.tsx'
import type { GuideSlug } from '../../reference/guides.ts'
import { ErrorsGuide } from './guides/errors.tsx'
import { IdempotencyGuide } from './guides/idempotency.tsx'
import { LimitsGuide } from './guides/limits.tsx'
import { StreamingGuide } from './guides/streaming.tsx'
import { StructuredOutputGuide } from './guides/structured-output.tsx'
import { ToolsGuide } from './guides/tools.tsx'

const pages: Readonly<Record<GuideSlug, ComponentType>> = {
  streaming: StreamingGuide,
  'structured-output': StructuredOutputGuide,
  tools: ToolsGuide,
  errors: ErrorsGuide,
  limits: LimitsGuide,
  idempotency: IdempotencyGuide,
}

/** Shows the guide that the last part of the address names. */
export function GuidePage() {
  const { guide } = useParams({ from: '/docs/panes/$guide' })
  const found = Object.entries(pages).find(([slug]) => slug === guide)
  if (found === undefined) return <NotFound />
  const [slug, Page] = found
  return <Page key={slug} />
}
