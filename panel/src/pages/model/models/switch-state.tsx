import { Alert } from '@mantine/core'
import type { PanelModels } from '../../../../../src/protocol/panel/models.ts'

const steps = {
  loading: 'Loading the model. Replies go on meanwhile.',
  draining:
    'Memory is too short for two models, so running replies end first. New requests wait, up to 30 s.',
  restoring: 'The model cannot be loaded. The earlier one is being loaded again.',
} as const

/** Says which model is being loaded, and why the latest switch failed. */
export function SwitchState({ models: { switching, failure } }: { models: PanelModels }) {
  return (
    <>
      <div role="status">
        {switching !== null && (
          <Alert color="yellow" title={`Switching to ${switching.name}`}>
            {steps[switching.step]}
          </Alert>
        )}
      </div>
      {failure !== null && (
        <Alert color="red" role="alert" title={`${failure.name} was not loaded`}>
          {failure.message} The earlier model serves on.
        </Alert>
      )}
    </>
  )
}
