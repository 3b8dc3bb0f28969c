import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names'
import { Icon } from './icon'
import type { IconName } from './icon-shapes'
import { type RenderElement, renderAs } from './render-as'
import { Spinner } from './spinner'

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** One primary in a view; `inverse` is the loudest over artwork. */
  variant?: 'primary' | 'secondary' | 'outline' | 'ghost' | 'inverse' | 'danger' | undefined
  size?: 's' | 'm' | 'l' | undefined
  /** As wide as its container. */
  full?: boolean | undefined
  /** Locked and working: the size, the name and the focus stay. */
  loading?: boolean | undefined
  icon?: IconName | undefined
  iconEnd?: IconName | undefined
  /** A link to dress as a button: `<Button render={<Link to="/carts" />}>…`. */
  render?: RenderElement | undefined
}

export function Button({
  variant = 'secondary',
  size = 'm',
  full,
  loading,
  icon,
  iconEnd,
  render,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const dress = classNames(styles.button, styles[variant], size !== 'm' && styles[size], full && styles.full, className)
  const iconSize = size === 's' ? 's' : 'm'
  const content: ReactNode = (
    <>
      {icon && <Icon name={icon} size={iconSize} />}
      {children}
      {iconEnd && <Icon name={iconEnd} size={iconSize} />}
    </>
  )

  if (render) return renderAs(render, { className: dress }, content)
  return (
    <button
      type={type}
      className={dress}
      // A disabled button would lose the focus to the page.
      aria-disabled={loading || undefined}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      {...rest}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {loading ? (
        <>
          <span className={styles.content}>{content}</span>
          <span className={styles.loader}>
            <Spinner />
          </span>
        </>
      ) : (
        content
      )}
    </button>
  )
}
