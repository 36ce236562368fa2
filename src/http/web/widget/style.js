// The widget's style. A shop changes it by custom properties and parts.

export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`\
:host(:not([hidden])){display:block;\
--accent:var(--postduif-accent,light-dark(#1552b5,#8ab4f8));\
color:var(--postduif-text,CanvasText);font:var(--postduif-font,inherit);position:relative}\
*{font:inherit;padding:0;margin:0;box-sizing:border-box}\
mark,button{all:unset}\
mark,label{font-weight:bold}\
input,ul{background:var(--postduif-background,Canvas);border-radius:var(--postduif-radius,.5rem);border:1px solid var(--postduif-border,gray);color:inherit;width:100%}\
[part=detail],p{font-size:.9em}\
p{min-height:2em}\
section{display:grid;grid:auto/repeat(auto-fit,minmax(8rem,1fr));gap:.8rem}\
input{font-size:max(1em,16px);padding:.5rem .8rem;min-height:44px;appearance:none}\
ul{scroll-padding-bottom:3rem;z-index:9;margin-top:.5rem;overflow:auto;position:absolute;left:0}\
li{display:flex;align-items:center;cursor:pointer;flex-wrap:wrap;gap:0 .8rem;overflow-wrap:anywhere;padding:.5rem .8rem;min-height:44px}\
li:last-child{background:inherit;border-top:inherit;bottom:0;position:sticky}\
input:read-only,li:is(:hover,[aria-selected=true]){background-image:linear-gradient(#8883 0 0)}\
:focus-visible,[aria-selected=true]{outline-offset:-2px;outline:2px solid var(--accent)}\
button{display:block;text-decoration:underline;cursor:pointer;min-height:44px}\
li:last-child,button{color:var(--accent)}\
button:empty,[hidden]{display:none!important}`);
