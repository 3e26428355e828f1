import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { Section } from '../../components/page/section.tsx'

export function ThemeSection() {
  // Mantine pauses transitions with a <style> element, which the content security policy blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <Section title="Theme" description="Saved in this browser.">
      <div>
        <SegmentedControl
          aria-label="Theme"
          data={[
            { value: 'auto', label: 'System' },
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
