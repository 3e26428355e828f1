import { Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PanelModel } from '../../../../src/protocol/panel/models.ts'
import { Copyable } from '../../components/copyable.tsx'
import { formatBytes } from '../../format/format-bytes.ts'
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatTokensPerSecond,
} from '../../format/format.ts'
import classes from './model-page.module.css'
import { modelName } from './models-api.ts'

const templates = {
  model: 'From the model file',
  setting: 'PIPIT_CHAT_TEMPLATE',
  ChatML: 'ChatML, because the file has none',
} as const

/** The model's file, quantisation and context window. */
export function ModelFacts({ model }: PanelModel) {
  const { trained_context_tokens: trained } = model
  return (
    <dl className={classes['facts']}>
      <Fact name="Model">{modelName(model)}</Fact>
      <Fact name="Name in the API">
        <code>{model.id}</code>
      </Fact>
      {model.file !== null && (
        <Fact name="File">
          <code className={classes['file']}>{model.file}</code>
          {model.bytes !== null && `, ${formatBytes(model.bytes)}`}
        </Fact>
      )}
      <Fact name="Quantisation">{model.quantisation}</Fact>
      <Fact name="Architecture">{model.architecture}</Fact>
      <Fact name="Parameters">{model.parameters}</Fact>
      <Fact name="Context window">
        {formatCount(model.context_tokens)} tokens
        {trained !== null &&
          trained > model.context_tokens &&
          ` (the model was trained for ${formatCount(trained)})`}
      </Fact>
      <Fact name="Max tokens of a reply">{formatCount(model.completion_tokens_max)}</Fact>
      <Fact name="Parallel replies">{formatCount(model.slots)}</Fact>
      <Fact name="Chat template">{model.chat_template && templates[model.chat_template]}</Fact>
      <Fact name="Good at">{model.good_at}</Fact>
      <Fact name="Licence">{model.licence}</Fact>
      <Fact name="Source">
        {model.source && <span className={classes['file']}>{model.source}</span>}
      </Fact>
      <Fact name="Fingerprint" isWide>
        <Copyable text={model.fingerprint} what="fingerprint" />
      </Fact>
    </dl>
  )
}

/** Speed on this machine, memory, and the share of the weights that each kernel computes. */
export function ComputeFacts({ model, compute, memory, speed }: PanelModel) {
  return (
    <div className={classes['columns']}>
      <dl className={classes['facts']}>
        <Fact name="Reply speed">
          {speed.tokens_per_second !== null && formatTokensPerSecond(speed.tokens_per_second)}
        </Fact>
        <Fact name="Prompt speed">
          {speed.prompt_tokens_per_second !== null &&
            formatTokensPerSecond(speed.prompt_tokens_per_second)}
        </Fact>
        <Fact name="Time to first token">
          {speed.first_token_ms !== null && formatDuration(speed.first_token_ms)}
        </Fact>
        <Fact name="Measured on">
          {speed.replies === 0
            ? 'No replies yet. Send one in the playground to see the speed.'
            : `Median of the latest ${formatCount(speed.replies)} ${speed.replies === 1 ? 'reply' : 'replies'}`}
        </Fact>
        <Fact name="Weights">{model.bytes !== null && formatBytes(model.bytes)}</Fact>
        <Fact name="KV cache">
          {memory.kv_bytes !== null && `${formatBytes(memory.kv_bytes)} (${memory.kv_type})`}
        </Fact>
        <Fact name="Free memory when loaded">
          {memory.available_at_load_bytes !== null && formatBytes(memory.available_at_load_bytes)}
        </Fact>
      </dl>
      <Kernels compute={compute} />
    </div>
  )
}

function Kernels({ compute }: Pick<PanelModel, 'compute'>) {
  const { kernels, own_weights_share: own, difference, device } = compute
  if (kernels === null || own === null) return null
  const isGpu = device !== null && !device.startsWith('CPU')
  return (
    <div className={classes['kernels']}>
      <h3 className={classes['name']}>What computes the weights</h3>
      <Share name={`Pipit’s kernels (${kernels})`} share={own} />
      <Share name={isGpu ? `llama.cpp (${device})` : 'llama.cpp'} share={1 - own} />
      {difference !== null && (
        <Text size="xs" c="dimmed">
          Pipit’s kernels compute this model differently ({difference}), so llama.cpp’s are used.
        </Text>
      )}
    </div>
  )
}

function Share({ name, share }: { name: string; share: number }) {
  return (
    <div>
      <div className={classes['share']}>
        <span>{name}</span>
        <span className="numeric">{formatPercent(share)}</span>
      </div>
      <Progress value={100 * share} aria-label={`Weights computed by ${name}`} />
    </div>
  )
}

/** The machine that the service runs on. */
export function HardwareFacts({ hardware, compute }: Pick<PanelModel, 'hardware' | 'compute'>) {
  return (
    <dl className={classes['facts']}>
      <Fact name="Processor">{hardware.processor}</Fact>
      <Fact name="Cores">
        {formatCount(hardware.cores)}
        {compute.threads !== null && `, ${formatCount(compute.threads)} used by the model`}
      </Fact>
      <Fact name="Computes on">{compute.device}</Fact>
      <Fact name="Memory">
        {formatBytes(hardware.memory_bytes)}, {formatBytes(hardware.available_bytes)} available
      </Fact>
      <Fact name="System">
        {hardware.platform}, Node {hardware.node}
      </Fact>
      <Fact name="Sandbox">{compute.sandbox}</Fact>
    </dl>
  )
}

type FactProps = {
  name: string
  children: ReactNode
  /** Takes a whole row on phones. */
  isWide?: boolean
}

/** Shows nothing for a fact that is not known. */
function Fact({ name, children, isWide = false }: FactProps) {
  if (children === null || children === false || children === '') return null
  return (
    <div className={isWide ? `${classes['fact']} ${classes['wide']}` : classes['fact']}>
      <dt>{name}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  )
}
