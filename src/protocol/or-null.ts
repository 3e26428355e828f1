import { Type, type TSchema } from 'typebox'

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
