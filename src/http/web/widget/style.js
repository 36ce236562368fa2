// The widget's style. A shop changes it by custom properties and parts.

export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`:host(:not([hidden])){display:block;color:var(--postduif-text,CanvasText);font:var(--postduif-font,inherit);
--accent:var(--postduif-accent,light-dark(#1552b5,#8ab4f8));--ground:var(--postduif-background,Canvas);--line:1px solid var(--postduif-border,#808080)}
*{box-sizing:border-box;margin:0;font:inherit}
input,ul{width:100%;color:inherit;background:var(--ground);border:var(--line);border-radius:var(--postduif-radius,.5rem)}
label,mark{font-weight:600}
p,[part=detail]{font-size:.9em}
p{min-height:1.8em}
div{position:relative}
section div{position:static}
section{position:relative;display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.8rem}
input{min-height:3rem;padding:.5rem .8rem;font-size:max(1em,16px);appearance:none}
ul{position:absolute;z-index:20;left:0;top:calc(100% + .3rem);padding:0;overflow:auto;scroll-padding-bottom:3.5rem;box-shadow:0 8px 24px #0004}
li{display:flex;flex-wrap:wrap;align-items:center;gap:0 .6rem;min-height:44px;padding:.5rem .8rem;cursor:pointer;overflow-wrap:anywhere}
li:last-child{position:sticky;bottom:0;background:var(--ground);border-top:var(--line)}
input:read-only,li:is(:hover,[aria-selected=true]){background-image:linear-gradient(#8883 0 0)}
:focus-visible,[aria-selected=true]{outline:2px solid var(--accent);outline-offset:-2px}
mark{color:inherit;background:none}
button{display:block;min-height:44px;padding:0;background:none;border:0;text-align:start;text-decoration:underline;cursor:pointer}
button,li:last-child{color:var(--accent)}
[hidden]{display:none!important}
:host(:disabled){opacity:.6}`);
