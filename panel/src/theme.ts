import { createTheme } from '@mantine/core'

/** Behaviour only: every colour and size is a variable of styles.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--pipit-font)',
  fontFamilyMonospace: 'var(--pipit-font-mono)',
  components: {
    // In a sentence, colour alone does not tell a link.
    Anchor: { defaultProps: { underline: 'always' } },
    // Their own lock writes a <style>, which the content security policy refuses; styles.css has one.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Tooltip: {
      defaultProps: { events: { hover: true, focus: true, touch: true }, openDelay: 200 },
    },
  },
})
