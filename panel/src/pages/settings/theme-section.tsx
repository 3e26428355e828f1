import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { Section } from '../../components/page/section.tsx'

export function ThemeSection() {
  // To hold transitions back it would write a <style>, which the content security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <Section title="Theme" description="Kept in this browser.">
      <div>
        <SegmentedControl
          aria-label="Theme"
          data={[
            { value: 'auto', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
    </Section>
  )
}
