import iconUrl from '../icon.svg'
import classes from './brand.module.css'

export function Brand() {
  return (
    <span className={classes['brand']}>
      <img src={iconUrl} alt="" width={24} height={24} />
      Pipit
    </span>
  )
}
