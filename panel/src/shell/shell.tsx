import { Burger } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SessionWatch } from '../auth/session-watch.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'

/** The frame of every signed-in page: navigation and content. */
export function Shell() {
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content">
        Skip to content
      </a>
      {/* Not a <header>: together with a dialog's header, the page would have two banner landmarks. */}
      <nav className={classes['header']} aria-label="Menu bar">
        <Menu />
        <Brand />
      </nav>
      <aside className={classes['sidebar']} aria-label="Sidebar">
        <div className={classes['brand']}>
          <Brand />
        </div>
        <Navigation />
      </aside>
      <main id="content" className={classes['content']} tabIndex={-1}>
        <Outlet />
      </main>
      <SessionWatch />
    </div>
  )
}

/** The navigation drawer on phones. The browser traps the focus in it and closes it on Escape. */
function Menu() {
  const drawer = useRef<HTMLDialogElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => drawer.current?.close(), [path])
  return (
    <>
      <Burger size="sm" aria-label="Open menu" onClick={() => drawer.current?.showModal()} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a click outside closes it, like Escape and the close button */}
      <dialog
        ref={drawer}
        className={classes['drawer']}
        aria-label="Menu"
        onClick={({ target, currentTarget }) => {
          if (target === currentTarget) currentTarget.close()
        }}
      >
        <div className={classes['sheet']}>
          <Burger
            opened
            size="sm"
            aria-label="Close menu"
            onClick={() => drawer.current?.close()}
          />
          <Navigation />
        </div>
      </dialog>
    </>
  )
}
