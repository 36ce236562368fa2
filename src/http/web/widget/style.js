// The widget's style. A shop changes it by custom properties and parts.

export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`\
:host(:not([hidden])){display:block;\
color:var(--postduif-text,CanvasText);font:var(--postduif-font,inherit);position:relative}\
*{font:inherit;padding:0;margin:0;box-sizing:border-box}\
mark,button{all:unset}\
mark,label{font-weight:bold}\
input,ul{background:var(--postduif-background,Canvas);border-radius:var(--postduif-radius,.5rem);border:1px solid var(--postduif-border,gray);color:inherit;width:100%}\
input,li{padding:.5rem .8rem}\
input,li,button{min-height:44px}\
li,button{cursor:pointer}\
p{padding:.5rem 0;min-height:44px}\
li,section{display:flex;flex-wrap:wrap;gap:.8rem}\
div{flex:1 6rem}\
input{font-size:max(1em,16px);appearance:none}\
:host([data-state=confirmed]) p::before{content:"✓ "}\
ul{scroll-padding-bottom:44px;z-index:9;overflow:auto;position:absolute}\
li{align-items:center;row-gap:0;overflow-wrap:anywhere}\
li[part=manual]{background:inherit;border-top:inherit;bottom:0;position:sticky}\
input:read-only,li:is(:hover,[aria-selected=true]){background-image:linear-gradient(#8883 0 0)}\
:focus-visible,[aria-selected=true]{outline-offset:-2px;outline:2px solid var(--postduif-accent,light-dark(#1552b5,#8ab4f8))}\
button{display:block;text-decoration:underline}\
[part=manual],button{color:var(--postduif-accent,light-dark(#1552b5,#8ab4f8))}\
button:empty,[hidden]{display:none!important}`);
