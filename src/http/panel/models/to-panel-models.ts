import type { EngineInfo } from '../../../engine/engine.ts'
import {
  type ModelsOverview,
  type PullState,
  type StoredModel,
} from '../../../models/administration/model-administration.ts'
import type { Hardware, ServingModel } from '../../../models/administration/serving-model.ts'
import { catalogue, catalogueDate } from '../../../models/catalogue.ts'
import { bundledName } from '../../../models/store.ts'
import { modelId } from '../../../protocol/chat/model-id.ts'
import type {
  PanelModel,
  PanelModels,
  PanelPull,
  UsableModel,
} from '../../../protocol/panel/models.ts'
import type { MeasuredSpeed } from '../../../usage/measured-speed.ts'

type ModelFacts = {
  info: EngineInfo
  serving: ServingModel
  speed: MeasuredSpeed
  hardware: Hardware
  completionTokensMax: number
}

export function toPanelModel(facts: ModelFacts): PanelModel {
  const { info, serving, speed, hardware, completionTokensMax } = facts
  return {
    model: {
      id: modelId,
      name: serving.name ?? null,
      title: serving.title ?? null,
      good_at: serving.goodAt ?? null,
      file: serving.file ?? null,
      bytes: serving.bytes ?? null,
      quantisation: serving.quantisation ?? null,
      architecture: serving.architecture ?? null,
      parameters: serving.parameters ?? null,
      licence: serving.licence ?? null,
      source: serving.source ?? null,
      trained_context_tokens: serving.trainedContextTokens ?? null,
      context_tokens: info.contextTokens,
      completion_tokens_max: completionTokensMax,
      slots: info.slots,
      chat_template: info.chatTemplate ?? null,
      fingerprint: info.fingerprint,
    },
    compute: {
      device: info.device ?? null,
      kernels: info.kernels ?? null,
      own_weights_share: info.ownWeightsShare ?? null,
      difference: info.kernelsDifference ?? null,
      threads: serving.threads ?? null,
      sandbox: info.sandbox ?? null,
    },
    memory: {
      kv_bytes: info.memory?.kvBytes ?? null,
      kv_type: serving.kvType ?? null,
      available_at_load_bytes: info.memory?.availableBytes ?? null,
    },
    speed: {
      replies: speed.replies,
      tokens_per_second: speed.tokensPerSecond ?? null,
      prompt_tokens_per_second: speed.promptTokensPerSecond ?? null,
      first_token_ms: speed.firstTokenMs ?? null,
    },
    hardware: {
      processor: hardware.processor ?? null,
      cores: hardware.cores,
      memory_bytes: hardware.memoryBytes,
      available_bytes: hardware.availableBytes,
      platform: hardware.platform,
      node: hardware.node,
    },
    card: serving.card.map(({ title, text }) => ({ title, text })),
  }
}

/** Shows failure texts only to administrators: they may name local folders and repositories. */
export function toPanelModels(overview: ModelsOverview, role: 'admin' | 'member'): PanelModels {
  const { switching, failure } = overview
  const isAdmin = role === 'admin'
  return {
    can_switch: overview.canSwitch,
    switching: switching ? { name: switching.name ?? bundledName, step: switching.step } : null,
    failure: (isAdmin && failure) || null,
    models: [toBundledModel(overview), ...overview.models.map(toUsableModel)],
    pulls: overview.pulls.map((pull) => ({
      ...toPanelPull(pull),
      ...(isAdmin ? {} : { message: null }),
    })),
    catalogue: catalogue.map(({ exampleFile, goodAt, ...entry }) => ({
      name: entry.name,
      title: entry.title,
      parameters: entry.parameters,
      licence: entry.licence,
      example_file: exampleFile,
      good_at: goodAt,
    })),
    catalogue_date: catalogueDate,
  }
}

function toBundledModel({ bundled }: ModelsOverview): UsableModel {
  return {
    name: bundledName,
    bytes: bundled.bytes,
    quantisation: null,
    licence: null,
    source: null,
    pulled_ms: null,
    serving: bundled.isServing,
    damage: null,
  }
}

function toUsableModel(model: StoredModel): UsableModel {
  return {
    name: model.name,
    bytes: model.files.reduce((sum, { bytes }) => sum + bytes, 0),
    quantisation: model.quantisation ?? null,
    licence: model.licence ?? null,
    source: model.source,
    pulled_ms: model.pulledMs,
    serving: model.isServing,
    damage: model.damage ?? null,
  }
}

function toPanelPull({ name, totalBytes, bytesPerSecond, message, ...pull }: PullState): PanelPull {
  const secondsLeft =
    totalBytes === undefined || bytesPerSecond === undefined
      ? undefined
      : Math.max(0, totalBytes - pull.bytes) / bytesPerSecond
  return {
    id: pull.id,
    model: pull.model,
    name: name ?? null,
    state: pull.state,
    bytes: pull.bytes,
    total_bytes: totalBytes ?? null,
    bytes_per_second: bytesPerSecond ?? null,
    seconds_left: secondsLeft ?? null,
    message: message ?? null,
  }
}
