import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { meQuery } from '../session.ts'
import { type FirstStepMark, saveMark } from './first-step-marks.ts'

/** Returns a function that records a step as done by the signed-in user. */
export function useMark(): (mark: FirstStepMark) => void {
  const queryClient = useQueryClient()
  return (mark) => {
    const me = queryClient.getQueryData(meQuery.queryKey)
    if (me === undefined) return
    saveMark(me.user.id, mark)
    void queryClient.invalidateQueries({ queryKey: ['first-steps'] })
  }
}

/** Records a step as done when `isDone` becomes true. */
export function useMarkWhen(mark: FirstStepMark, isDone: boolean): void {
  const save = useMark()
  useEffect(() => {
    if (isDone) save(mark)
    // oxlint-disable-next-line react/exhaustive-deps -- once per change of the condition
  }, [mark, isDone])
}
