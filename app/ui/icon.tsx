import { classNames } from './class-names'
import styles from './icon.module.css'
import { type IconName, mirroredIcons, shapes, solidIcons } from './icon-shapes'

export interface IconProps {
  name: IconName
  /** 16, 20, 24 or 32 px; without a size it follows the text. */
  size?: 's' | 'm' | 'l' | 'xl' | undefined
  /** What the icon says where no text stands beside it; without one it is decoration. */
  label?: string | undefined
  className?: string | undefined
}

/** One of the product's own icons, in the colour of the text around it. */
export function Icon({ name, size, label, className }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={classNames(
        styles.icon,
        size && styles[size],
        solidIcons.has(name) && styles.solid,
        mirroredIcons.has(name) && styles.mirrored,
        className,
      )}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={shapes[name]} />
    </svg>
  )
}
