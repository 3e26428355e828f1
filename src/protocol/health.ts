import { Type } from 'typebox'

export const LivenessReply = Type.Object({ status: Type.Literal('alive') })

export const ReadinessReply = Type.Object({
  status: Type.Unsafe<'ready' | 'not ready'>({ type: 'string', enum: ['ready', 'not ready'] }),
  engine: Type.Boolean({ description: 'The model is loaded.' }),
  ledger: Type.Boolean({ description: 'Usage can be written.' }),
  accepting: Type.Boolean({ description: 'False while the service shuts down.' }),
})
