export const repo = 'bench/Random-GGUF'
export const fileName = 'random-Q8_0.gguf'
