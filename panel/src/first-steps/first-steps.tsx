import { Button, Text, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useId } from 'react'
import { meQuery } from '../session.ts'
import { type FirstSteps as Done, firstStepsQuery } from './first-steps-query.ts'
import classes from './first-steps.module.css'
import { useMark } from './use-mark.ts'

type Step = {
  title: string
  help: string
  isDone: boolean
  link: Pick<LinkProps, 'to' | 'search'>
  action: string
}

/** A new user's checklist. Steps tick themselves off. The list goes away when all are done or it is dismissed. */
export function FirstSteps() {
  const titleId = useId()
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: done } = useQuery(firstStepsQuery(me))
  const mark = useMark()
  if (done === undefined || done.marks.dismissed) return null
  const steps = toSteps(done)
  const left = steps.filter(({ isDone }) => !isDone).length
  if (left === 0) return null
  return (
    <section className={classes['card']} aria-labelledby={titleId}>
      <div className={classes['head']}>
        <Title order={2} id={titleId}>
          First steps
        </Title>
        <Text size="sm" c="dimmed" role="status">
          {steps.length - left} of {steps.length} done
        </Text>
        <Button variant="subtle" size="compact-sm" onClick={() => mark('dismissed')}>
          Dismiss
        </Button>
      </div>
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <StepRow key={step.title} step={step} />
        ))}
      </ol>
    </section>
  )
}

function StepRow({ step: { title, help, isDone, link, action } }: { step: Step }) {
  return (
    <li className={classes['step']} data-done={isDone}>
      <span className={classes['sign']} role="img" aria-label={isDone ? 'Done' : 'To do'}>
        {isDone ? '✓' : ''}
      </span>
      <div>
        <span className={classes['title']}>{title}</span>
        {!isDone && <span className={classes['help']}>{help}</span>}
      </div>
      {!isDone && (
        <Link {...link} className={classes['action']}>
          {action}
        </Link>
      )}
    </li>
  )
}

function toSteps({ marks, sent, called, invited }: Done): Step[] {
  const steps: Step[] = [
    {
      title: 'Send a first message',
      help: 'Choose a prompt in the playground and press Send.',
      isDone: sent,
      link: { to: '/playground' },
      action: 'Open the playground',
    },
    {
      title: 'Copy a key',
      help: 'Your app sends it with each request. You see it only once.',
      isDone: marks.copied || called,
      link: { to: '/keys', search: { dialog: 'create' } },
      action: 'Create a key',
    },
    {
      title: 'Make a call from your language',
      help: 'The dialog of a new key shows the code with the key filled in.',
      isDone: called,
      link: { to: '/quick-start' },
      action: 'See the code',
    },
    {
      title: 'Find the call in Requests',
      help: 'Open a request to see its status, tokens and timing.',
      isDone: marks.seen,
      link: { to: '/requests' },
      action: 'See the requests',
    },
  ]
  if (invited === undefined) return steps
  const invite: Step = {
    title: 'Invite a colleague',
    help: 'Each user has an account with keys and limits of its own.',
    isDone: invited,
    link: { to: '/accounts' },
    action: 'Go to the accounts',
  }
  return [...steps, invite]
}
