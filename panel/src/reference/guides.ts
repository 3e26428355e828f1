/** The guides in display order. Slugs and section ids are parts of addresses, so they never change. */
export const guides = [
  {
    slug: 'streaming',
    title: 'Streaming',
    sections: ['events', 'failures', 'waiting', 'disconnect'],
  },
  {
    slug: 'structured-output',
    title: 'Structured output',
    sections: ['schema', 'max-tokens', 'keywords', 'bounds'],
  },
  { slug: 'tools', title: 'Tools', sections: ['call', 'result', 'choice', 'streams'] },
  { slug: 'errors', title: 'Errors', sections: ['form', 'retries', 'codes', 'panel-codes'] },
  { slug: 'limits', title: 'Limits', sections: ['own', 'headers', 'service', 'queue'] },
  { slug: 'idempotency', title: 'Idempotency', sections: ['send', 'repeat', 'not-kept'] },
] as const

export type GuideSlug = (typeof guides)[number]['slug']
