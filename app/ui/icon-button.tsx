import type { ComponentPropsWithRef } from 'react'
import { classNames } from './class-names'
import { Icon } from './icon'
import styles from './icon-button.module.css'
import type { IconName } from './icon-shapes'
import { type RenderElement, renderAs } from './render-as'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  /** The name for those who do not see the icon. */
  label: string
  /** `glass` is for standing on pictures. */
  variant?: 'ghost' | 'soft' | 'glass' | undefined
  size?: 's' | 'm' | 'l' | undefined
  round?: boolean | undefined
  /** A number on the corner, such as what lies in the cart; 0 shows nothing. Say it in the label as well. */
  count?: number | undefined
  render?: RenderElement | undefined
}

export function IconButton({
  icon,
  label,
  variant = 'ghost',
  size = 'm',
  round,
  count,
  render,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const dress = classNames(
    styles.button,
    styles[variant],
    size !== 'm' && styles[size],
    round && styles.round,
    className,
  )
  const content = (
    <>
      <Icon name={icon} size={size === 's' ? 's' : 'm'} />
      {count ? (
        <span className={styles.count} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </>
  )

  if (render) return renderAs(render, { className: dress, 'aria-label': label }, content)
  return (
    <button type={type} className={dress} aria-label={label} {...rest}>
      {content}
    </button>
  )
}
