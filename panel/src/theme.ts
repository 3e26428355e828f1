import { createTheme } from '@mantine/core'

/** Mantine's behaviour. Colours and sizes are variables in styles.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--pipit-font)',
  fontFamilyMonospace: 'var(--pipit-font-mono)',
  components: {
    // Colour alone must not mark a link within a sentence.
    Anchor: { defaultProps: { underline: 'always' } },
    // Mantine's scroll lock writes a <style>, which the content security policy blocks. See styles.css.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
  },
})
