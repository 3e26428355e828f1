import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { meQuery } from '../session.ts'
import classes from './navigation.module.css'

const work = [
  { to: '/keys', label: 'API keys' },
  { to: '/usage', label: 'Usage' },
  { to: '/requests', label: 'Requests' },
  { to: '/playground', label: 'Playground' },
  { to: '/live', label: 'Live' },
] as const
const learn = [{ to: '/quick-start', label: 'Quick start' }] as const
const admin = [{ to: '/accounts', label: 'Accounts' }] as const
const own = [{ to: '/settings', label: 'Settings' }] as const

export function Navigation() {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <nav className={classes['navigation']} aria-label="Pages">
      <Links links={work} />
      <Links links={learn} title="Learn" />
      {me.user.role === 'admin' && <Links links={admin} title="Admin" />}
      <div className={classes['own']}>
        <bdi className={classes['name']}>{me.user.name}</bdi>
        <Links links={own} />
      </div>
    </nav>
  )
}

type LinksProps = {
  links: typeof work | typeof learn | typeof admin | typeof own
  title?: string
}

function Links({ links, title }: LinksProps) {
  return (
    <div>
      {title !== undefined && <p className={classes['title']}>{title}</p>}
      <ul className={classes['links']}>
        {links.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes['link']}
              activeProps={{ className: classes['active'], 'aria-current': 'page' }}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
