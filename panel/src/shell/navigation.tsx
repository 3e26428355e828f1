import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signOut } from '../auth/auth-api.ts'
import { FormError } from '../components/form-error.tsx'
import { forgetUser, meQuery } from '../session.ts'
import { icons } from './icons.tsx'
import classes from './navigation.module.css'

export function Navigation() {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <nav className={classes['navigation']} aria-label="Pages">
      <Links>
        <PageLink to="/keys" label="API keys" icon={icons.keys} />
        <PageLink to="/usage" label="Usage" icon={icons.usage} />
        <PageLink to="/requests" label="Requests" icon={icons.requests} />
        <PageLink to="/playground" label="Playground" icon={icons.playground} />
        <PageLink to="/live" label="Live" icon={icons.live} />
        <PageLink to="/model" label="Model" icon={icons.model} />
      </Links>
      <Links title="Learn">
        <PageLink to="/quick-start" label="Quick start" icon={icons.quickStart} />
        <PageLink to="/docs" label="API reference" icon={icons.reference} />
      </Links>
      {me.user.role === 'admin' && (
        <Links title="Admin">
          <PageLink to="/accounts" label="Accounts" icon={icons.accounts} />
          <PageLink to="/spending" label="Spending" icon={icons.spending} />
          <PageLink to="/audit" label="Audit log" icon={icons.audit} />
          <PageLink to="/replicas" label="Replicas" icon={icons.replicas} />
        </Links>
      )}
      <div className={classes['own']}>
        <Links title={<bdi>{me.user.name}</bdi>}>
          <PageLink to="/settings" label="Settings" icon={icons.settings} />
          <SignOut />
        </Links>
      </div>
    </nav>
  )
}

function Links({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <div>
      {title !== undefined && <p className={classes['title']}>{title}</p>}
      <ul className={classes['links']}>{children}</ul>
    </div>
  )
}

type PagePath =
  | '/keys'
  | '/usage'
  | '/requests'
  | '/playground'
  | '/live'
  | '/model'
  | '/quick-start'
  | '/docs'
  | '/accounts'
  | '/spending'
  | '/audit'
  | '/replicas'
  | '/settings'

function PageLink({ to, label, icon }: { to: PagePath; label: string; icon: ReactNode }) {
  return (
    <li>
      <Link
        to={to}
        className={classes['link']}
        activeOptions={{ includeSearch: false }}
        activeProps={{ className: classes['active'], 'aria-current': 'page' }}
      >
        {icon}
        {label}
      </Link>
    </li>
  )
}

function SignOut() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' })
      forgetUser(queryClient)
    },
  })
  return (
    <li>
      <button
        type="button"
        className={classes['link']}
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {icons.signOut}
        Sign out
      </button>
      <FormError error={leave.error} />
    </li>
  )
}
