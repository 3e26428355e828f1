import { Burger } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SessionWatch } from '../auth/session-watch.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'

/** Around every page of somebody who is signed in: the navigation, and where the page goes. */
export function Shell() {
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <header className={classes['header']}>
        <Menu />
        <Brand />
      </header>
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

/** On phones: the navigation in a drawer, which the browser keeps the focus in and closes with Escape. */
function Menu() {
  const drawer = useRef<HTMLDialogElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => drawer.current?.close(), [path])
  return (
    <>
      <Burger size="sm" aria-label="Open the menu" onClick={() => drawer.current?.showModal()} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a click beside it closes it, as Escape and its button do */}
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
            aria-label="Close the menu"
            onClick={() => drawer.current?.close()}
          />
          <Navigation />
        </div>
      </dialog>
    </>
  )
}
