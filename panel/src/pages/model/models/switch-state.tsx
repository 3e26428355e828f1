import { Alert } from '@mantine/core'
import type { PanelModels } from '../../../../../src/protocol/panel/models.ts'

const steps = {
  loading: 'Loading the model. Until then, the earlier model answers.',
  draining:
    'Memory does not suffice for two models, so replies in progress finish first. New requests wait up to 30 s.',
  restoring: 'The model could not be loaded. Loading the earlier one again.',
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
          {failure.message} The earlier model is still in use.
        </Alert>
      )}
    </>
  )
}
