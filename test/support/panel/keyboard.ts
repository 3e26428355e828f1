import { strict as assert } from 'node:assert'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than any page has stops. */
const tabsMax = 250

export type Keyboard = ReturnType<typeof useKeyboard>

/** Returns a user without a mouse, who finds each control with Tab and uses it with keys. */
export function useKeyboard(page: Page) {
  /** Presses Tab until the control has the focus. Each stop on the way must be in view and show that it has the focus. */
  const tabTo = async (control: Locator) => {
    await control.waitFor({ state: 'attached' })
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      if (await control.evaluate(isFocused)) return
      await page.keyboard.press('Tab')
      const fault = () => page.evaluate<string | null>(focusFault)
      // The overlay of a closed dialog covers the page until it has faded.
      await expect.poll(fault, { message: new URL(page.url()).pathname }).toBe(null)
    }
    assert.fail(`Tab does not reach ${String(control)}`)
  }
  /** Goes to a control and presses keys, one after the other. */
  const press = async (control: Locator, ...keys: string[]) => {
    await tabTo(control)
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    tabTo,
    press,
    /** Replaces the text of a field. */
    type: async (field: Locator, text: string) => {
      await press(field, 'ControlOrMeta+A', 'Delete')
      await page.keyboard.insertText(text)
    },
    /** Chooses an option of a list by its first letters. */
    choose: async (select: Locator, option: string) => {
      await tabTo(select)
      await page.keyboard.type(option)
      expect(await select.locator('option:checked').innerText()).toContain(option)
    },
    /** Expects that the control has the focus, or gets it. */
    isOn: async (control: Locator) => {
      await control.waitFor({ state: 'attached' })
      await expect
        .poll(async () =>
          (await control.evaluate(isFocused)) ? 'focused' : page.evaluate(focused),
        )
        .toBe('focused')
    },
  }
}

/** Expects that a control of the page has the focus, or gets it: the next Tab must not start at the top again. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<string>(focused)).not.toMatch(/^<body/)
}

const focused = 'document.activeElement.outerHTML.slice(0, 200)'

function isFocused(element: unknown): boolean {
  return element === Reflect.get(globalThis, 'document').activeElement
}

// A string, because the tests' types have no DOM. Fields show their focus by the colour of their border and a caret.
const focusFault = `(() => {
  const at = document.activeElement
  if (at === document.body) return null
  const name = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40)
  const box = at.getBoundingClientRect()
  if (at.matches('input, select, textarea')) return null
  const outlines = [undefined, '::after'].map((part) => getComputedStyle(at, part).outlineStyle)
  if (outlines.every((outline) => outline === 'none'))
    return name + ' does not show its focus: ' + at.outerHTML.slice(0, 200)
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const shown = document.elementFromPoint(Math.min(Math.max(x, 1), innerWidth - 1), Math.min(Math.max(y, 1), innerHeight - 1))
  if (box.bottom <= 0 || box.top >= innerHeight) return name + ' has the focus out of view'
  return at.contains(shown) ? null : name + ' has the focus below ' + (shown?.outerHTML.slice(0, 120) ?? 'nothing')
})()`
