import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

const tokenLogprob = {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: orNull(Type.Array(Type.Integer())),
}
export const Logprobs = Type.Object(
  {
    content: Type.Array(
      Type.Object({ ...tokenLogprob, top_logprobs: Type.Array(Type.Object(tokenLogprob)) }),
    ),
    refusal: Type.Null(),
  },
  {
    description:
      "Natural logarithms of the model's own probabilities, before temperature, biases and penalties.",
  },
)
export type Logprobs = Static<typeof Logprobs>
